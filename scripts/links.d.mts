export interface InstallLink {
  readonly client: string;
  readonly url: string;
  readonly markdown: string;
}

export function installLinks(): InstallLink[];
