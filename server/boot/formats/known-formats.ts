/** Formats that are told from others, with their names in words: what nobody reads is at least called by its name. */

import type { MediaType } from "../../../core/model/media-type.ts";

export interface KnownFormat {
	readonly type: MediaType;
	/** As people call it. */
	readonly name: string;
	/** Endings of its files' names. They tell only where the bytes say no more than "a ZIP" or nothing at all. */
	readonly endings: readonly string[];
	/** How each of its files begins, as Latin-1; null where something else tells. */
	readonly mark: string | null;
}

type Row = readonly [type: MediaType, name: string, endings: string, mark?: string];

/** What `file-type` does not tell from others, or mistakes. The marks are longer than chance. */
const own: readonly Row[] = [
	["application/vnd.ms-outlook-pst", "Outlook data file (PST)", "pst ost", "!BDN"],
	["application/onenote", "OneNote section", "one onetoc2", "\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3"],
	["application/vnd.ms-tnef", "Outlook rich-text attachment (winmail.dat)", "tnef", "\x78\x9f\x3e\x22"],
	["application/vnd.ms-access", "Access database", "mdb", "\0\x01\0\0Standard Jet DB"],
	["application/vnd.ms-access", "Access database", "accdb", "\0\x01\0\0Standard ACE DB"],
	["application/vnd.lotus-1-2-3", "Lotus 1-2-3 worksheet", "", "\0\0\x02\0\x06\x04\x06\0"],
	["application/vnd.lotus-1-2-3", "Lotus 1-2-3 worksheet", "wk1 wk3 wk4 123"], // of other versions
	["application/vnd.wordperfect", "WordPerfect document", "wpd wp5 wp6", "\xffWPC"],
	["application/x-webarchive", "Safari web archive", "webarchive"],
	["application/x-bplist", "Apple binary property list", "plist bplist"],
	["application/x-mswrite", "Windows Write document", "wri", "\x31\xbe\0\0\0\xab"],
	["application/winhlp", "Windows help file", "hlp", "\x3f\x5f\x03\0"],
	["application/x-ms-reader", "Microsoft Reader book", "lit", "ITOLITLS"],
	["application/x-sony-bbeb", "Sony BBeB book", "lrf", "L\0R\0F\0\0\0"],
	["image/vnd.djvu", "DjVu document", "djvu djv", "AT&TFORM"],
	["application/fits", "FITS data (astronomy)", "fits fit fts", "SIMPLE  =                    T"],
	["application/x-hdf5", "HDF5 data", "h5 hdf5", "\x89HDF\r\n\x1a\n"],
	["application/x-hdf", "HDF4 data", "hdf h4", "\x0e\x03\x13\x01"],
	["application/x-netcdf", "NetCDF data", "nc cdf", "CDF\x01"],
	["application/x-netcdf", "NetCDF data", "", "CDF\x02"],
	["application/x-matlab-data", "MATLAB data", "", "MATLAB 5.0 MAT-file"],
	["application/x-matlab-data", "MATLAB data", "", "MATLAB 7.3 MAT-file"],
	["application/x-matlab-data", "MATLAB data", "mat"], // of version 4, which begins with numbers
	["application/x-idl-save", "IDL save file", "", "SR\0\x04"],
	["application/x-numpy", "NumPy array", "npy", "\x93NUMPY"],
	["application/x-stata", "Stata data", "dta", "<stata_dta>"],
	["application/x-sas-data", "SAS data", "sas7bdat", `${"\0".repeat(12)}\xc2\xea\x81\x60\xb3\x14\x11\xcf`],
	["application/x-r-data", "R data", "rda rdata rds", "RDX3\n"],
	["application/x-grib", "GRIB weather data", "grib grib2 grb", "GRIB"],
	["application/x-orc", "ORC data", "orc"],
	["application/x-gguf", "GGUF model", "gguf", "GGUF"],
	["application/x-dbf", "dBase table", "dbf"],
	["application/x-filemaker", "FileMaker database", "fp7 fmp12", "\0\x01\0\0\0\x02\0\x01\0\x05\0\x02\0\x02\xc0HBAM7"],
	["image/x-pcx", "PCX picture", "pcx"],
	["image/x-tga", "Targa picture", "tga"],
	["image/emf", "Windows metafile (EMF)", "emf"],
	["image/wmf", "Windows metafile (WMF)", "wmf", "\xd7\xcd\xc6\x9a"],
	["image/x-portable-pixmap", "Netpbm picture", "ppm pgm pbm pnm"],
	["image/vnd.radiance", "Radiance picture (HDR)", "hdr", "#?RADIANCE"],
	["image/x-exr", "OpenEXR picture", "exr", "\x76\x2f\x31\x01"],
	["application/vnd.ms-dwf", "Design Web Format drawing", "dwf", "(DWF V0"],
	["application/x-ebcdic", "text in EBCDIC, the encoding of mainframes", "ebc ebcdic"],
	["application/vnd.tcpdump.pcapng", "network capture (pcapng)", "pcapng", "\x0a\x0d\x0d\x0a"],
	["application/x-ms-evtx", "Windows event log", "evtx", "ElfFile\0"],
	["application/x-vmdk", "virtual disk (VMDK)", "vmdk", "KDMV"],
	["application/x-qcow2", "virtual disk (QCOW2)", "qcow2", "QFI\xfb"],
	["application/x-gettext-translation", "compiled translation (MO)", "mo gmo", "\xde\x12\x04\x95"],
	["application/x-python-code", "compiled Python", "pyc pyo"],
	["application/vnd.lotus-notes", "Lotus Notes database", "nsf", "\x1a\0\0\x04\0\0"],
];

/** Inside of a ZIP: what tells them is in zip-type.ts. */
const zipped: readonly Row[] = [
	["application/vnd.ms-xpsdocument", "Microsoft XPS document", "xps oxps"],
	["application/vnd.visio", "Visio drawing", "vsdx vsdm vssx vssm vstx vstm"],
	["application/vnd.ms-excel.sheet.binary.macroenabled.12", "Excel binary workbook (XLSB)", "xlsb"],
	["application/vnd.apple.keynote", "Keynote presentation", "key"],
	["application/vnd.apple.pages", "Pages document", "pages"],
	["application/vnd.apple.numbers", "Numbers spreadsheet", "numbers"],
	["application/vnd.apple.iwork", "iWork document", ""],
	["application/vnd.oasis.opendocument.graphics", "OpenDocument drawing", "odg"],
	["application/vnd.oasis.opendocument.graphics-template", "OpenDocument drawing", "otg"],
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

/** Inside of an OLE container: what tells them is in ole-type.ts. */
const compound: readonly Row[] = [
	["application/vnd.ms-visio", "Visio drawing of before 2013", "vsd vss vst"],
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

/** What `file-type` tells and nobody reads. */
const told: readonly Row[] = [
	["application/octet-stream", "binary data in an unknown format", ""],
	["application/x-7z-compressed", "7z archive", "7z"],
	["application/vnd.rar", "RAR archive", "rar"],
	["application/x-rar-compressed", "RAR archive", ""],
	["application/x-bzip2", "bzip2 archive", "bz2"],
	["application/x-xz", "xz archive", "xz"],
	["application/zstd", "Zstandard archive", "zst"],
	["application/x-lz4", "LZ4 archive", "lz4"],
	["application/vnd.ms-cab-compressed", "Windows cabinet", "cab"],
	["application/x-deb", "Debian package", "deb"],
	["application/x-rpm", "RPM package", "rpm"],
	["application/x-iso9660-image", "disc image (ISO)", "iso"],
	["image/heic", "HEIC picture", "heic"],
	["image/heif", "HEIF picture", "heif"],
	["image/avif", "AVIF picture", "avif"],
	["image/jxl", "JPEG XL picture", "jxl"],
	["image/jp2", "JPEG 2000 picture", "jp2 j2k"],
	["image/vnd.adobe.photoshop", "Photoshop picture", "psd"],
	["image/vnd.dwg", "AutoCAD drawing", "dwg"],
	["image/x-icon", "Windows icon", "ico"],
	["application/postscript", "PostScript document", "ps"],
	["application/eps", "EPS drawing", "eps"],
	["application/x-mobipocket-ebook", "Mobipocket or Kindle book", "mobi azw azw3 prc"],
	["application/vnd.ms-htmlhelp", "compiled HTML help (CHM)", "chm"],
	["application/x-sqlite3", "SQLite database", "sqlite sqlite3"],
	["application/vnd.apache.parquet", "Parquet data", "parquet"],
	["application/avro", "Avro data", "avro"],
	["application/x-spss-sav", "SPSS data", "sav"],
	["application/dicom", "DICOM picture", "dcm"],
	["application/x-esri-shape", "shapefile", "shp"],
	["application/vnd.tcpdump.pcap", "network capture (pcap)", "pcap"],
	["application/x-msdownload", "Windows program", "exe dll"],
	["application/x-elf", "Linux program", "so"],
	["application/x-mach-binary", "macOS program", "dylib"],
	["application/wasm", "WebAssembly program", "wasm"],
	["application/java-vm", "compiled Java", "class"],
	["application/x-ms-shortcut", "Windows shortcut", "lnk"],
	["application/x-blender", "Blender scene", "blend"],
	["application/x-ft-fbx", "FBX model", "fbx"],
	["application/vnd.sketchup.skp", "SketchUp model", "skp"],
	["model/gltf-binary", "glTF model", "glb"],
	["model/stl", "STL model", "stl"],
	["application/x-shockwave-flash", "Flash film", "swf"],
	["application/pgp-encrypted", "file encrypted with PGP", "pgp gpg"],
	["font/ttf", "TrueType font", "ttf"],
	["font/otf", "OpenType font", "otf"],
	["font/woff", "web font", "woff"],
	["font/woff2", "web font", "woff2"],
	["audio/midi", "MIDI music", "mid midi"],
	["image/x-xcf", "GIMP picture", "xcf"],
	["application/x-indesign", "InDesign document", "indd"],
	["application/vnd.apache.arrow.file", "Arrow data", "arrow feather"],
	["application/x-apple-diskimage", "Apple disk image", "dmg"],
];

function formatOf([type, name, endings, mark = ""]: Row): KnownFormat {
	return { type, name, endings: endings === "" ? [] : endings.split(" "), mark: mark === "" ? null : mark };
}

export const ownFormats: readonly KnownFormat[] = own.map(formatOf);
export const zippedFormats: readonly KnownFormat[] = zipped.map(formatOf);
export const compoundFormats: readonly KnownFormat[] = compound.map(formatOf);
const toldFormats: readonly KnownFormat[] = told.map(formatOf);

const names: ReadonlyMap<MediaType, string> = new Map(
	[...ownFormats, ...zippedFormats, ...compoundFormats, ...toldFormats].map(({ type, name }) => [type, name]),
);
/** Only of formats that have no mark: without its mark a file is called wrongly. `.key` is a presentation in a ZIP, and a private key elsewhere. */
const bareTypes = byEnding(ownFormats.filter(({ mark }) => mark === null));

/** Null for what has no entry here. */
export function formatName(type: MediaType): string | null {
	return names.get(type) ?? null;
}

/** For bytes of which nothing else is known. */
export function formatByEnding(ending: string): MediaType | null {
	return bareTypes.get(ending) ?? null;
}

export function byEnding(formats: readonly KnownFormat[]): ReadonlyMap<string, MediaType> {
	return new Map(formats.flatMap(({ type, endings }) => endings.map((ending): [string, MediaType] => [ending, type])));
}
