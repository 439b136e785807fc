/** The build embeds Markdown files, the library for MiniZinc and the program for bundles as text. */
declare module "*.md" {
  const text: string;
  export default text;
}

declare module "*.mzn" {
  const text: string;
  export default text;
}

declare module "*.py" {
  const text: string;
  export default text;
}
