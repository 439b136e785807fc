export function faultsOf(folder: string, base: string): string[];
