/** Formats that are recognised but not supported, with their names in words for the error message. */

import type { MediaType } from "../../../core/model/media-type.ts";

/** The name of the format in words. */
type NamedFormat = readonly [type: MediaType, name: string];
/** A format with its magic bytes as Latin-1. They are long enough that no other file starts with them by chance. */
type FormatWithMagicBytes = readonly [...NamedFormat, mark: string];
/** A format with its file extensions, separated by spaces. They are only used if the bytes identify a generic container or nothing. */
type FormatWithExtensions = readonly [...NamedFormat, extensions: string];

/** Formats that `file-type` does not recognise, or mistakes for others. */
const formatsByMagicBytes: readonly FormatWithMagicBytes[] = [
	["application/vnd.ms-outlook-pst", "Outlook data file (PST)", "!BDN"],
	["application/onenote", "OneNote section", "\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3"],
	["application/vnd.ms-tnef", "Outlook rich-text attachment (winmail.dat)", "\x78\x9f\x3e\x22"],
	["application/vnd.ms-access", "Access database", "\0\x01\0\0Standard Jet DB"],
	["application/vnd.ms-access", "Access database", "\0\x01\0\0Standard ACE DB"],
	["application/vnd.lotus-1-2-3", "Lotus 1-2-3 worksheet", "\0\0\x02\0\x06\x04\x06\0"],
	["application/vnd.wordperfect", "WordPerfect document", "\xffWPC"],
	["application/x-mswrite", "Windows Write document", "\x31\xbe\0\0\0\xab"],
	["application/winhlp", "Windows help file", "\x3f\x5f\x03\0"],
	["application/x-ms-reader", "Microsoft Reader book", "ITOLITLS"],
	["application/x-sony-bbeb", "Sony BBeB book", "L\0R\0F\0\0\0"],
	["image/vnd.djvu", "DjVu document", "AT&TFORM"],
	["application/fits", "FITS data (astronomy)", "SIMPLE  =                    T"],
	["application/x-hdf5", "HDF5 data", "\x89HDF\r\n\x1a\n"],
	["application/x-hdf", "HDF4 data", "\x0e\x03\x13\x01"],
	["application/x-netcdf", "NetCDF data", "CDF\x01"],
	["application/x-netcdf", "NetCDF data", "CDF\x02"],
	["application/x-matlab-data", "MATLAB data", "MATLAB 5.0 MAT-file"],
	["application/x-matlab-data", "MATLAB data", "MATLAB 7.3 MAT-file"],
	["application/x-idl-save", "IDL save file", "SR\0\x04"],
	["application/x-numpy", "NumPy array", "\x93NUMPY"],
	["application/x-stata", "Stata data", "<stata_dta>"],
	["application/x-sas-data", "SAS data", `${"\0".repeat(12)}\xc2\xea\x81\x60\xb3\x14\x11\xcf`],
	["application/x-r-data", "R data", "RDX3\n"],
	["application/x-grib", "GRIB weather data", "GRIB"],
	["application/x-gguf", "GGUF model", "GGUF"],
	["application/x-filemaker", "FileMaker database", "\0\x01\0\0\0\x02\0\x01\0\x05\0\x02\0\x02\xc0HBAM7"],
	["image/wmf", "Windows metafile (WMF)", "\xd7\xcd\xc6\x9a"],
	["image/vnd.radiance", "Radiance picture (HDR)", "#?RADIANCE"],
	["image/x-exr", "OpenEXR picture", "\x76\x2f\x31\x01"],
	["application/vnd.ms-dwf", "Design Web Format drawing", "(DWF V0"],
	["application/vnd.tcpdump.pcapng", "network capture (pcapng)", "\x0a\x0d\x0d\x0a"],
	["application/x-ms-evtx", "Windows event log", "ElfFile\0"],
	["application/x-vmdk", "virtual disk (VMDK)", "KDMV"],
	["application/x-qcow2", "virtual disk (QCOW2)", "QFI\xfb"],
	["application/x-gettext-translation", "compiled translation (MO)", "\xde\x12\x04\x95"],
	["application/vnd.lotus-notes", "Lotus Notes database", "\x1a\0\0\x04\0\0"],
	["application/vnd.mif", "FrameMaker document (MIF)", "<MIFFile "],
	["application/cbor", "CBOR data", "\xd9\xd9\xf7"],
	["application/x-internet-archive", "web archive (ARC)", "filedesc://"],
];

/** Formats without magic bytes, or recognised by a rule in own-signature.ts. */
const formatsByExtension: readonly FormatWithExtensions[] = [
	["application/vnd.lotus-1-2-3", "Lotus 1-2-3 worksheet", "wk1 wk3 wk4 123"], // of other versions
	["application/x-webarchive", "Safari web archive", "webarchive"],
	["application/x-bplist", "Apple binary property list", "plist bplist"],
	["application/x-matlab-data", "MATLAB data", "mat"], // of version 4, which begins with numbers
	["application/x-orc", "ORC data", "orc"],
	["application/x-dbf", "dBase table", "dbf"],
	["image/x-pcx", "PCX picture", "pcx"],
	["image/x-tga", "Targa picture", "tga"],
	["image/emf", "Windows metafile (EMF)", "emf"],
	["image/x-portable-pixmap", "Netpbm picture", "ppm pgm pbm pnm"],
	["application/x-ebcdic", "text in EBCDIC, the encoding of mainframes", "ebc ebcdic"],
	["application/x-python-code", "compiled Python", "pyc pyo"],
	["application/pkcs7-mime", "signed or encrypted message (PKCS #7)", "p7m p7s p7c"],
	["application/marc", "library records (MARC 21)", "mrc marc"],
	["image/vnd.dxf", "CAD drawing (DXF)", "dxf"],
	["model/stl", "STL model", "stl"],
	["model/x.stl-ascii", "STL model", ""], // the library takes every text for one that begins with "solid"
];

/** Formats in a ZIP; `zipMarks` has their typical entries. */
const zipFormats: readonly FormatWithExtensions[] = [
	["application/vnd.ms-xpsdocument", "Microsoft XPS document", "xps oxps"],
	["application/vnd.ms-excel.sheet.binary.macroenabled.12", "Excel binary workbook (XLSB)", "xlsb"],
	["application/vnd.apple.keynote", "Keynote presentation", "key"],
	["application/vnd.apple.pages", "Pages document", "pages"],
	["application/vnd.apple.numbers", "Numbers spreadsheet", "numbers"],
	["application/vnd.apple.iwork", "iWork document", ""],
	["application/vnd.oasis.opendocument.formula", "OpenDocument formula", "odf"],
	["application/vnd.oasis.opendocument.chart", "OpenDocument chart", "odc"],
	["application/vnd.oasis.opendocument.base", "OpenDocument database", "odb"],
	["application/vnd.sun.xml.writer", "OpenOffice 1 text", "sxw"],
	["application/vnd.sun.xml.calc", "OpenOffice 1 spreadsheet", "sxc"],
	["application/vnd.sun.xml.impress", "OpenOffice 1 presentation", "sxi"],
	["application/hwp+zip", "Hangul document (HWPX)", "hwpx"],
	["application/x-krita", "Krita picture", "kra"],
	["image/openraster", "OpenRaster picture", "ora"],
	["application/vnd.adobe.indesign-idml-package", "InDesign document (IDML)", "idml"],
	["application/vnd.adobe.sparkler.project+dcx", "Adobe XD design", "xd"],
	["application/vnd.recordare.musicxml", "MusicXML score", "mxl"],
	["application/vnd.geogebra.file", "GeoGebra construction", "ggb"],
	["application/x-sketch", "Sketch design", "sketch"],
	["application/x-figma", "Figma design", "fig"],
	["application/vnd.xmind.workbook", "XMind mind map", "xmind"],
	["application/vnd.mindjet.mindmanager", "MindManager map", "mmap"],
	["application/x-apkg", "Anki cards", "apkg colpkg"],
	["application/x-scratch", "Scratch project", "sb3"],
	["application/x-freecad", "FreeCAD model", "fcstd"],
	["application/x-power-bi", "Power BI report", "pbix pbit"],
	["application/x-tableau", "Tableau workbook", "twbx tdsx"],
	["application/x-procreate", "Procreate picture", "procreate"],
	["model/3mf", "3MF model", "3mf"],
	["model/vnd.usdz+zip", "USDZ model", "usdz"],
	["model/vnd.dwfx+xps", "Design Web Format drawing (DWFx)", "dwfx"],
	["application/vnd.android.package-archive", "Android app", "apk aab"],
	["application/x-ios-app", "iOS app", "ipa"],
	["application/java-archive", "Java archive", "jar war ear"],
	["application/x-xpinstall", "Firefox extension", "xpi"],
	["application/vnd.openxmlformats-package", "Open Packaging container of an unknown kind", "appx msix"],
];

/** Formats in an OLE container; `oleTypesByStream` has their typical streams. */
const oleFormats: readonly FormatWithExtensions[] = [
	["application/vnd.ms-visio", "Visio drawing from before 2013", "vsd vss vst"],
	["application/vnd.ms-publisher", "Publisher document", "pub"],
	["application/vnd.ms-project", "Project plan", "mpp mpt"],
	["application/x-hwp", "Hangul document (HWP)", "hwp"],
	["application/vnd.ms-works", "Works document", "wps wdb wks"],
	["application/x-msi", "Windows installer", "msi msp"],
	["application/vnd.solidworks", "SolidWorks model", "sldprt sldasm slddrw"],
	["application/vnd.autodesk.inventor", "Inventor model", "ipt iam idw"],
	["application/vnd.autodesk.revit", "Revit model", "rvt rfa"],
	["application/x-3ds-max", "3ds Max scene", "max"],
	["application/x-quickbooks", "QuickBooks data", "qbw"],
	["application/x-thumbs-db", "Windows thumbnails", "db"],
	["application/x-cfb", "OLE compound file of an unknown kind", ""],
];

/** Formats that `file-type` recognises and that are not supported. */
const formatsOfLibrary: readonly NamedFormat[] = [
	["application/octet-stream", "binary data in an unknown format"],
	["application/x-xz", "xz archive"],
	["application/zstd", "Zstandard archive"],
	["application/x-lz4", "LZ4 archive"],
	["application/vnd.ms-cab-compressed", "Windows cabinet"],
	["application/x-deb", "Debian package"],
	["application/x-rpm", "RPM package"],
	["application/x-iso9660-image", "disc image (ISO)"],
	["image/jxl", "JPEG XL picture"],
	["image/jp2", "JPEG 2000 picture"],
	["image/vnd.adobe.photoshop", "Photoshop picture"],
	["image/vnd.dwg", "AutoCAD drawing"],
	["image/x-icon", "Windows icon"],
	["application/postscript", "PostScript document"],
	["application/eps", "EPS drawing"],
	["application/x-mobipocket-ebook", "Mobipocket or Kindle book"],
	["application/vnd.ms-htmlhelp", "compiled HTML help (CHM)"],
	["application/x-sqlite3", "SQLite database"],
	["application/vnd.apache.parquet", "Parquet data"],
	["application/avro", "Avro data"],
	["application/x-spss-sav", "SPSS data"],
	["application/dicom", "DICOM picture"],
	["application/x-esri-shape", "shapefile"],
	["application/vnd.tcpdump.pcap", "network capture (pcap)"],
	["application/x-msdownload", "Windows program"],
	["application/x-elf", "Linux program"],
	["application/x-mach-binary", "macOS program"],
	["application/wasm", "WebAssembly program"],
	["application/java-vm", "compiled Java"],
	["application/x-ms-shortcut", "Windows shortcut"],
	["application/x-blender", "Blender scene"],
	["application/x-ft-fbx", "FBX model"],
	["application/vnd.sketchup.skp", "SketchUp model"],
	["model/gltf-binary", "glTF model"],
	["model/stl", "STL model"],
	["application/x-shockwave-flash", "Flash film"],
	["application/pgp-encrypted", "file encrypted with PGP"],
	["font/ttf", "TrueType font"],
	["font/otf", "OpenType font"],
	["font/woff", "web font"],
	["font/woff2", "web font"],
	["audio/midi", "MIDI music"],
	["image/x-xcf", "GIMP picture"],
	["application/x-indesign", "InDesign document"],
	["application/vnd.apache.arrow.file", "Arrow data"],
	["application/x-apple-diskimage", "Apple disk image"],
];

/** Entries by which a format in a ZIP is recognised. The first match decides. */
export const zipTypesByEntry: readonly (readonly [entry: RegExp, type: MediaType])[] = [
	[/^xl\/workbook\.bin$/i, "application/vnd.ms-excel.sheet.binary.macroenabled.12"],
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

/** The same for programs. A program with an archive's extension is treated as an archive. */
export const programTypesByEntry: typeof zipTypesByEntry = [
	[/^META-INF\/mozilla\.rsa$/, "application/x-xpinstall"],
	[/^META-INF\/MANIFEST\.MF$/, "application/java-archive"],
];

/** Stream names by which a format in an OLE container is recognised; OLE writes them in UTF-16. */
export const oleTypesByStream: readonly (readonly [stream: string, type: MediaType])[] = [
	["VisioDocument", "application/vnd.ms-visio"],
	["Quill", "application/vnd.ms-publisher"],
	["HwpSummaryInformation", "application/x-hwp"],
	["RevitPreview4.0", "application/vnd.autodesk.revit"],
	["SwDocMgrTempStorage", "application/vnd.solidworks"],
];

/** Formats whose files embed documents of other programs, by the first four bytes of the root storage's class id, as a number. */
export const oleTypesByClassId: ReadonlyMap<number, MediaType> = new Map([
	[0x00021a13, "application/vnd.ms-visio"],
	[0x00021a14, "application/vnd.ms-visio"],
	[0x00021201, "application/vnd.ms-publisher"],
	[0x74b78f3a, "application/vnd.ms-project"],
	[0x000c1084, "application/x-msi"],
	[0x000c1086, "application/x-msi"],
]);

/** Formats that may be plain text. Any other signature in a text file is a coincidence. */
export const textualSignatures: ReadonlySet<string> = new Set([
	"application/postscript",
	"application/eps",
	"application/fits",
	"application/vnd.mif",
	"application/cbor",
	"application/x-internet-archive",
	"application/pkcs7-mime",
	"application/marc",
	"image/vnd.dxf",
	"model/x.stl-ascii",
	"application/x-matlab-data",
	"application/x-ebcdic",
	"application/x-bplist",
	"application/x-webarchive",
	"image/x-portable-pixmap",
]);

const namesByType: ReadonlyMap<MediaType, string> = new Map(
	[...formatsByMagicBytes, ...formatsByExtension, ...zipFormats, ...oleFormats, ...formatsOfLibrary].map(([type, name]) => [type, name]),
);

/** Formats with magic bytes are left out: a file without them has the wrong extension. `.key` is a presentation in a ZIP, and a private key elsewhere. */
const typesByExtension = byExtension(formatsByExtension);
export const zipTypesByExtension: ReadonlyMap<string, MediaType> = byExtension(zipFormats);
export const unsupportedOleTypesByExtension: ReadonlyMap<string, MediaType> = byExtension(oleFormats);

const zipTypes: ReadonlySet<string> = new Set(zipTypesByExtension.values());

export function isZipType(type: MediaType): boolean {
	return zipTypes.has(type);
}

/** The name of the format in words; null for a type that is not in these lists. */
export function formatName(type: MediaType): string | null {
	return namesByType.get(type) ?? null;
}

/** @param start the first bytes as Latin-1. */
export function formatByMagicBytes(start: string): MediaType | null {
	return formatsByMagicBytes.find(([, , mark]) => start.startsWith(mark))?.[0] ?? null;
}

/** For files that cannot be identified by their bytes. */
export function formatByExtension(extension: string): MediaType | null {
	return typesByExtension.get(extension) ?? null;
}

function byExtension(formats: readonly FormatWithExtensions[]): ReadonlyMap<string, MediaType> {
	return new Map(
		formats.flatMap(([type, , extensions]) => (extensions === "" ? [] : extensions.split(" ").map((extension): [string, MediaType] => [extension, type]))),
	);
}
