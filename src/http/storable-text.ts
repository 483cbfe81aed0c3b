// Text that every store of ours can hold. PostgreSQL refuses the zero character, and JSON with half of a surrogate pair in
// it; nothing that a person or a client sends has a use for either.

export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
