// What one page of the account leaves for the next to say.

/** Keys of `texts.done` and `texts.problems`, so that the page says it in its own language. */
export type Remark = {
  done?: string;
  problem?: string;
  /** What was typed, where it may be shown again. */
  typed?: Record<string, string>;
};
