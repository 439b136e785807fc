import type { Toolset } from "../../kernel/tool.ts";
import { editMemo } from "./edit_memo.ts";
import { getMemo } from "./get_memo.ts";
import { MemoFile } from "./memo_file.ts";

/** Notes that a language model keeps from one conversation to the next, in a file of this directory. */
export function memo(directory: string): Toolset {
  return {
    name: "memo",
    guides: [],
    session: () => {
      const file = new MemoFile(directory);
      return [getMemo(file), editMemo(file)];
    },
  };
}
