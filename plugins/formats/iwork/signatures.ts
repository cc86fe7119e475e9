/** Media types of Pages, Keynote and Numbers. Their files are recognised by what their ZIP contains, together with formats that nobody reads. */

import type { FileSignature } from "cairn-memory";

export const iworkSignatures: readonly FileSignature[] = [{ mediaType: "application/vnd.apple.pages" }, { mediaType: "application/vnd.apple.keynote" }];
export const numbersSignatures: readonly FileSignature[] = [{ mediaType: "application/vnd.apple.numbers" }];
