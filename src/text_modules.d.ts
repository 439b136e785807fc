/** The build puts Markdown files, and the library for MiniZinc, into the bundle as text. */
declare module "*.md" {
  const text: string;
  export default text;
}

declare module "*.mzn" {
  const text: string;
  export default text;
}
