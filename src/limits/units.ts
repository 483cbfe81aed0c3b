// The units that every limit of this folder is written in: seconds and bytes.

export const SECOND = 1;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const KIBIBYTE = 1024;
export const MEBIBYTE = 1024 * KIBIBYTE;
