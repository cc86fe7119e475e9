/** Signatures of Word, Excel and PowerPoint files from before 2007, by the streams of their OLE containers. */

import type { FileSignature } from "cairn-memory";

const contained = { container: "application/x-cfb" } as const;

export const docSignatures: readonly FileSignature[] = [{ mediaType: "application/msword", extensions: ["doc"], oleStream: "WordDocument", ...contained }];
export const xlsSignatures: readonly FileSignature[] = [{ mediaType: "application/vnd.ms-excel", extensions: ["xls"], oleStream: "Workbook", ...contained }];
export const pptSignatures: readonly FileSignature[] = [
	{ mediaType: "application/vnd.ms-powerpoint", extensions: ["ppt"], oleStream: "PowerPoint Document", ...contained },
];
/** Any other OLE container. */
export const oleSignatures: readonly FileSignature[] = [{ mediaType: "application/x-cfb", isGeneric: true }];
