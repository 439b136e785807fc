import { expect, it } from "vitest";
import { csvOf } from "../../src/viewer/csv.ts";

it.each([
  ["single values", { x: 3, name: "Ann" }, "x,3\r\nname,Ann"],
  [
    "lists and grids",
    {
      row: [1, 2],
      grid: [
        ["a", "b"],
        ["c", "d"],
      ],
    },
    "row,1,2\r\ngrid,a,b\r\ngrid,c,d",
  ],
  ["quotes, commas and lines", { x: 'say "a, b"\nc' }, 'x,"say ""a, b""\nc"'],
  ["what a spreadsheet would compute", { x: "=1+1", y: -3, z: "@a" }, "x,'=1+1\r\ny,-3\r\nz,'@a"],
  ["a formula after a line end, and a wide sign", { x: "\n=1", y: "＝1" }, "x,\"'\n=1\"\r\ny,'＝1"],
  ["what a terminal would obey", { x: "\u001b[2J\u202e" }, String.raw`x,\u001b[2J\u202e`],
  ["records", { at: { Ann: 1, Ben: { Mon: [2, 3] } }, none: {} }, "at,Ann,1\r\nat,Ben,Mon,2,3\r\nnone"],
])("%s become CSV", (_, values, text) => expect(csvOf(values)).toBe(text));
