/** Limits of bundles. */
export const bundle_limits = {
  /** The maximum number of files. A model has at most 2,000 items, and few other files are added. */
  files_max: 2_500,
  /** The maximum unpacked size of all files in a bundle. A model has at most 4 MB, and its data and answer a few MB. */
  bytes_max: 64 * 1024 * 1024,
  /** The maximum size of the file list, which is read before anything else. */
  record_bytes_max: 4 * 1024 * 1024,
  /** The maximum number of differences shown in the output. */
  shown_max: 20,
} as const;
