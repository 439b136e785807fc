/** Bounds of bundles. */
export const bundle_limits = {
  /** A model has at most 2,000 items, and few other files are beside them. */
  files_max: 2_500,
  /** All files of a bundle together, unpacked: a model has 4 MB at most, and its data and its answer have some MB. */
  bytes_max: 64 * 1024 * 1024,
  /** The list of files, which is read before anything else. */
  record_bytes_max: 4 * 1024 * 1024,
  /** Differences that are shown. */
  shown_max: 20,
} as const;
