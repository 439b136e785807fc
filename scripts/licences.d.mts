export function packagesOf(modules: readonly string[]): string[];
export function licenceTexts(packages: readonly string[]): string;
