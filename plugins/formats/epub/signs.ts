/** How e-books are known: they name their type themselves, in a file that every ZIP with a document may have. */

import type { FileSign } from "cairn-memory";

export const epubSigns: readonly FileSign[] = [{ mediaType: "application/epub+zip", within: "application/zip", endings: ["epub"] }];
