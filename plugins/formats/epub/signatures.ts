/** Signature of EPUB. Its files name their type in `mimetype`; where that is missing the extension decides. */

import type { FileSignature } from "cairn-memory";

export const epubSignatures: readonly FileSignature[] = [{ mediaType: "application/epub+zip", container: "application/zip", extensions: ["epub"] }];
