/** Signatures of OpenDocument. Packed files contain their type in the entry `mimetype`, and the extension decides if that is missing; flat ones in their root element. */

import type { FileSignature } from "cairn-memory";
import { flatTypeOf } from "./flat-package.ts";

const zipContainer = { container: "application/zip" } as const;
const openDocument = "application/vnd.oasis.opendocument";

export const odfSignatures: readonly FileSignature[] = [
	{ mediaType: `${openDocument}.text`, extensions: ["odt"], ...zipContainer },
	{ mediaType: `${openDocument}.text-template`, extensions: ["ott"], ...zipContainer },
	{ mediaType: `${openDocument}.spreadsheet`, extensions: ["ods"], ...zipContainer },
	{ mediaType: `${openDocument}.spreadsheet-template`, extensions: ["ots"], ...zipContainer },
	{ mediaType: `${openDocument}.presentation`, extensions: ["odp"], ...zipContainer },
	{ mediaType: `${openDocument}.presentation-template`, extensions: ["otp"], ...zipContainer },
	{ mediaType: `${openDocument}.graphics`, extensions: ["odg"], ...zipContainer },
	{ mediaType: `${openDocument}.graphics-template`, extensions: ["otg"], ...zipContainer },
	...(["text", "spreadsheet", "presentation", "graphics"] as const).map((kind) => ({
		mediaType: `${openDocument}.${kind}-flat-xml` as const,
		extensions: [`fod${kind.charAt(0)}`],
		matchesText: (start: string) => /^<(\?xml|office:document)\s/.test(start) && flatTypeOf(start)?.startsWith(`${openDocument}.${kind}`) === true,
	})),
];
