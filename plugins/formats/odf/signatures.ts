/** Signatures of OpenDocument. Its files name their type in `mimetype`; where that is missing the extension decides. */

import type { FileSignature } from "cairn-memory";

const zipped = { container: "application/zip" } as const;
const open = "application/vnd.oasis.opendocument";

export const odfSignatures: readonly FileSignature[] = [
	{ mediaType: `${open}.text`, extensions: ["odt"], ...zipped },
	{ mediaType: `${open}.text-template`, extensions: ["ott"], ...zipped },
	{ mediaType: `${open}.spreadsheet`, extensions: ["ods"], ...zipped },
	{ mediaType: `${open}.spreadsheet-template`, extensions: ["ots"], ...zipped },
	{ mediaType: `${open}.presentation`, extensions: ["odp"], ...zipped },
	{ mediaType: `${open}.presentation-template`, extensions: ["otp"], ...zipped },
];
