/** The directory `node_modules` of a list of packages in .ci/. */
export function installed(name: string): string;
