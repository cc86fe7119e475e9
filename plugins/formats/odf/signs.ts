/** How OpenDocument is known: its files name their type themselves; the name tells where that is lost. */

import type { FileSign } from "cairn-memory";

const zipped = { within: "application/zip" } as const;
const open = "application/vnd.oasis.opendocument";

export const odfSigns: readonly FileSign[] = [
	{ mediaType: `${open}.text`, endings: ["odt"], ...zipped },
	{ mediaType: `${open}.text-template`, endings: ["ott"], ...zipped },
	{ mediaType: `${open}.spreadsheet`, endings: ["ods"], ...zipped },
	{ mediaType: `${open}.spreadsheet-template`, endings: ["ots"], ...zipped },
	{ mediaType: `${open}.presentation`, endings: ["odp"], ...zipped },
	{ mediaType: `${open}.presentation-template`, endings: ["otp"], ...zipped },
];
