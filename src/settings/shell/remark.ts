// What one page of the settings leaves for the next to say, sealed in a cookie that is read once: that something was
// done, or a secret that is displayed this one time. So every form ends in a redirect, and a
// reload neither repeats it nor shows the secret again.

export type Remark = {
  /** A sentence about what was done. */
  notice?: string;
  /** Shown with a copy button and a warning that it is the only time. */
  secrets?: { label: string; value: string }[];
};
