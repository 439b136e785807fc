/** The build puts Markdown files, the library for MiniZinc, and the program of bundles into the program as text. */
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
