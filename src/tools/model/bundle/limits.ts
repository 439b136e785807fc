/** Bounds of bundles. */
export const bundle_limits = {
  /** A model has at most 2,000 items; few other files are added. */
  files_max: 2_500,
  /** The unpacked size of all files in a bundle: a model has at most 4 MB, and its data and answer a few MB. */
  bytes_max: 64 * 1024 * 1024,
  /** The file list, which is read before anything else. */
  record_bytes_max: 4 * 1024 * 1024,
  /** Differences shown in the output. */
  shown_max: 20,
} as const;
