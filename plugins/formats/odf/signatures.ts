/** Signatures of OpenDocument. The files contain their type in the entry `mimetype`; the extension decides if that is missing. */

import type { FileSignature } from "cairn-memory";

const zipContainer = { container: "application/zip" } as const;
const openDocument = "application/vnd.oasis.opendocument";

export const odfSignatures: readonly FileSignature[] = [
	{ mediaType: `${openDocument}.text`, extensions: ["odt"], ...zipContainer },
	{ mediaType: `${openDocument}.text-template`, extensions: ["ott"], ...zipContainer },
	{ mediaType: `${openDocument}.spreadsheet`, extensions: ["ods"], ...zipContainer },
	{ mediaType: `${openDocument}.spreadsheet-template`, extensions: ["ots"], ...zipContainer },
	{ mediaType: `${openDocument}.presentation`, extensions: ["odp"], ...zipContainer },
	{ mediaType: `${openDocument}.presentation-template`, extensions: ["otp"], ...zipContainer },
];
