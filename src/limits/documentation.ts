// Numbers of the documentation at /docs.

/** Longer than anybody's question; every word of it is looked for in all pages. */
export const searchCharacters = 100;
export const searchWords = 8;
/** What a person looks through. */
export const searchResults = 20;
/** Of the text around what was found. */
export const searchExcerptCharacters = 200;
/** A page changes with a release only; a browser that goes back and forth need not ask again. */
export const documentationCacheSeconds = 300;
/** Of a reader's own, for their Client ID: more than one person chooses from a list. */
export const applicationsOffered = 100;
