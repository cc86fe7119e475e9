/** How e-books are known: they name their type themselves, in a file that every ZIP with a document may have. */

import type { FileSignature } from "cairn-memory";

export const epubSignatures: readonly FileSignature[] = [{ mediaType: "application/epub+zip", container: "application/zip", extensions: ["epub"] }];
