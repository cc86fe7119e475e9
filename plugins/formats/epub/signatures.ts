/** The signature of EPUB. The files contain their type in the entry `mimetype`; the extension decides if that is missing. */

import type { FileSignature } from "cairn-memory";

export const epubSignatures: readonly FileSignature[] = [{ mediaType: "application/epub+zip", container: "application/zip", extensions: ["epub"] }];
