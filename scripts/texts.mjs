/** The files that a bundle holds as texts, by their ends: for the build, the benches and the conformance test. */
export const texts = { ".md": "text", ".mzn": "text", ".py": "text" };
