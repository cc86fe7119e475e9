/** What is inside a ZIP: a document that is packed so, or files and nothing more. */

import { type MediaType, parseMediaType } from "../../../core/model/media-type.ts";
import { zippedTypes } from "./known-formats.ts";
import { type ZipDirectory, zipDirectory } from "./zip-directory.ts";

const office = "application/vnd.openxmlformats-officedocument";

/** What is read, by the ending of its name: what is inside may be damaged. */
const readEndings: Readonly<Record<string, MediaType>> = {
	docx: `${office}.wordprocessingml.document`,
	docm: `${office}.wordprocessingml.document`,
	dotx: `${office}.wordprocessingml.document`,
	dotm: `${office}.wordprocessingml.document`,
	xlsx: `${office}.spreadsheetml.sheet`,
	xlsm: `${office}.spreadsheetml.sheet`,
	xltx: `${office}.spreadsheetml.sheet`,
	xltm: `${office}.spreadsheetml.sheet`,
	pptx: `${office}.presentationml.presentation`,
	pptm: `${office}.presentationml.presentation`,
	ppsx: `${office}.presentationml.presentation`,
	ppsm: `${office}.presentationml.presentation`,
	potx: `${office}.presentationml.presentation`,
	potm: `${office}.presentationml.presentation`,
	odt: "application/vnd.oasis.opendocument.text",
	ott: "application/vnd.oasis.opendocument.text-template",
	ods: "application/vnd.oasis.opendocument.spreadsheet",
	ots: "application/vnd.oasis.opendocument.spreadsheet-template",
	odp: "application/vnd.oasis.opendocument.presentation",
	otp: "application/vnd.oasis.opendocument.presentation-template",
	epub: "application/epub+zip",
};

const known: ReadonlySet<string> = new Set([...Object.values(readEndings), ...zippedTypes.values()]);

/** What a format's own files are called. The first that is there decides. */
const marks: readonly (readonly [entry: RegExp, type: MediaType])[] = [
	[/^xl\/workbook\.bin$/i, "application/vnd.ms-excel.sheet.binary.macroenabled.12"],
	[/^word\/(?:document[^/]*\.xml$|_rels\/)/i, `${office}.wordprocessingml.document`],
	[/^xl\/(?:workbook[^/]*\.xml$|_rels\/)/i, `${office}.spreadsheetml.sheet`],
	[/^ppt\/(?:presentation[^/]*\.xml$|_rels\/)/i, `${office}.presentationml.presentation`],
	[/^visio\/document\.xml$/i, "application/vnd.visio"],
	[/^dwf\/documents\//i, "model/vnd.dwfx+xps"],
	[/^[^/]+\.fdseq(?:\/|$)/i, "application/vnd.ms-xpsdocument"],
	[/^3d\/[^/]+\.model$/i, "model/3mf"],
	[/^Index\/(?:MasterSlide|Slide|TemplateSlide)[^/]*\.iwa$/, "application/vnd.apple.keynote"],
	[/^index\.apxl(?:\.gz)?$/, "application/vnd.apple.keynote"],
	[/^geogebra\.xml$/, "application/vnd.geogebra.file"],
	[/^GuiDocument\.xml$/, "application/x-freecad"],
	[/^canvas\.fig$/, "application/x-figma"],
	[/^collection\.anki2\w*$/, "application/x-apkg"],
	[/^Report\/Layout$/, "application/x-power-bi"],
	[/^Document\.archive$/, "application/x-procreate"],
	[/^classes\d*\.dex$/, "application/vnd.android.package-archive"],
	[/^Payload\/[^/]+\.app\//, "application/x-ios-app"],
];

/** Programs are archives too: one that somebody calls so is taken for one. */
const programMarks: typeof marks = [
	[/^META-INF\/mozilla\.rsa$/, "application/x-xpinstall"],
	[/^META-INF\/MANIFEST\.MF$/, "application/java-archive"],
];

/** Of Apple's three programs two cannot be told apart by the names inside. */
const iwork = /^Index(?:\/Document\.iwa|\.zip)$/;
const contentTypes = "[Content_Types].xml";
/** Folders of those that are read, where nothing but the beginning of the file is left. */
const readFolders: readonly (readonly [folder: string, ending: string])[] = [
	["word/", "docx"],
	["xl/", "xlsx"],
	["ppt/", "pptx"],
];

/** What packs files without making a document of them; many of these are made with the means of Office. */
const archiveEndings: ReadonlySet<string> = new Set(["zip", "nupkg", "vsix"]);

export function zipType(bytes: Uint8Array, ending: string): MediaType {
	const directory = zipDirectory(bytes);
	return declaredType(directory) ?? markedType(directory.names, ending) ?? readEndings[ending] ?? zippedTypes.get(ending) ?? packageType(directory, ending);
}

/** OpenDocument, EPUB and many others say it themselves, in a file called `mimetype`. What no document is packed as is not believed. */
function declaredType(directory: ZipDirectory): MediaType | null {
	const said = parseMediaType(directory.read("mimetype", 200) ?? "");
	return said !== null && (known.has(said) || /^application\/vnd\.|\+zip$/.test(said)) ? said : null;
}

function markedType(names: readonly string[], ending: string): MediaType | null {
	const mark = (archiveEndings.has(ending) ? marks : [...marks, ...programMarks]).find(([entry]) => names.some((name) => entry.test(name)));
	if (mark !== undefined) return mark[1];
	if (names.some((name) => iwork.test(name))) return zippedTypes.get(ending) ?? "application/vnd.apple.iwork";
	if (!names.includes(contentTypes) && !names.some((name) => name.startsWith("_rels/"))) return null;
	const folder = readFolders.find(([start]) => names.some((name) => name.startsWith(start)));
	return folder === undefined ? null : (readEndings[folder[1]] ?? null);
}

/** A list of content types belongs to a document, whichever it is. */
function packageType({ names }: ZipDirectory, ending: string): MediaType {
	const isPackage = names.includes(contentTypes) && !archiveEndings.has(ending);
	return isPackage ? "application/vnd.openxmlformats-package" : "application/zip";
}
