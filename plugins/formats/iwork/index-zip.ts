/** Opens the ZIP with the parts of an iWork document: some files have them in a ZIP inside. */

import { fail } from "cairn-memory";
import { openZip, type ZipArchive } from "../zip/zip-archive.ts";

/** What a password is checked with. The parts of a document that has it are encrypted. */
const passwordCheck = /(?:^|\/)\.iwpv2$/;
/** Until 2013 a document was one XML file. */
const oldPart = /(?:^|\/)index\.(?:xml|apxl)(?:\.gz)?$/;

/** @throws FILE_ENCRYPTED, FILE_BROKEN, or EXTRACTOR_MISSING for documents from before 2013 */
export function openIndex(zip: ZipArchive): ZipArchive {
	if (zip.names.some((name) => passwordCheck.test(name))) throw fail("FILE_ENCRYPTED");
	const inner = zip.names.find((name) => /(?:^|\/)Index\.zip$/.test(name));
	// Newer documents may have a file of this name, such as an attached one.
	if (inner === undefined && !zip.names.some((name) => name.endsWith(".iwa")) && zip.names.some((name) => oldPart.test(name)))
		throw fail("EXTRACTOR_MISSING", "iWork document from before 2013", "Pages, Keynote and Numbers since 2013");
	const content = inner === undefined ? null : zip.read(inner);
	return content === null ? zip : openZip(content);
}
