export function blocksOf(text: string): { language: string; text: string }[];
export function linksOf(text: string): string[];
export function anchorOf(heading: string): string;
export function anchorsOf(text: string): string[];
export function mapProse(text: string, change: (part: string) => string): string;
