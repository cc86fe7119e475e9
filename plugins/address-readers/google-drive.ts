/** Public documents, sheets, slides and files of Google Drive, by their export links, as Office files. */

import { type AddressReader, type AddressReading, type DocumentType, definePlugin, type Fetched } from "cairn-memory";
import { z } from "zod";
import { type Asked, ask, changed, demandSuccess, hidden } from "./ask.ts";
import { baseAddress, hostNames } from "./base-address.ts";

/** Where to fetch a file, and its type. */
interface Export {
	readonly url: string;
	/** Null where the type is detected from the file. */
	readonly type: DocumentType | null;
	/** The extension that the export adds to the name. */
	readonly extension: string | null;
}

const options = z.strictObject({
	docs: baseAddress("https://docs.google.com"),
	drive: baseAddress("https://drive.usercontent.google.com"),
	hosts: hostNames(["docs.google.com", "drive.google.com"]),
});
type Options = z.output<typeof options>;

export default definePlugin({
	name: "address-reader-google-drive",
	contract: 1,
	options,
	start(given, host) {
		const reader: AddressReader = {
			name: "google-drive",
			recognizes: (address) => given.hosts.includes(address.host) && exportOf(address, given) !== null,
			read: async (address, step) => {
				const found = exportOf(address, given);
				return found === null ? null : await read(found, { host, step, about: address });
			},
		};
		return { addressReader: [reader] };
	},
});

/** Null for files published to the web (`/d/e/…/pub`), which are ordinary pages. */
function exportOf({ pathname, searchParams }: URL, { docs, drive }: Options): Export | null {
	// `/a/firm.example` and `/u/0` select an account.
	const path = pathname.replace(/^\/a\/[\w.-]+\//, "/").replace(/\/u\/\d+(?=\/)/, "");
	const [, kind, id] = /^\/(document|spreadsheets|presentation|file)\/d\/([\w-]{20,})(?:\/(?!pub).*)?$/.exec(path) ?? [];
	const key = searchParams.get("resourcekey");
	const access = key === null ? "" : `&resourcekey=${encodeURIComponent(key)}`;
	if (kind === "document") return { url: `${docs}/document/d/${id}/export?format=docx${access}`, type: "google_doc", extension: "docx" };
	if (kind === "spreadsheets") return { url: `${docs}/spreadsheets/d/${id}/export?format=xlsx${access}`, type: "google_sheet", extension: "xlsx" };
	if (kind === "presentation") return { url: `${docs}/presentation/d/${id}/export/pptx${access.replace("&", "?")}`, type: "google_slide", extension: "pptx" };
	const file = id ?? (/^\/(?:open|uc)$/.test(path) ? searchParams.get("id") : null);
	if (file == null || !/^[\w-]{20,}$/.test(file)) return null;
	// `confirm` skips Google's warning that a file is too large for its virus scan.
	return { url: `${drive}/download?id=${file}&export=download&confirm=t${access}`, type: null, extension: null };
}

async function read({ url, type, extension }: Export, asked: Asked): Promise<AddressReading> {
	const fetched = await ask(asked, url, "*/*");
	if (fetched.status === 403) throw hidden(asked.about, "its owner does not let the public download it");
	if (fetched.status === 400) throw changed(fetched.address, "the export was refused: it may be too large for an export");
	demandSuccess(fetched, asked);
	refusePage(fetched, type, asked);
	if (fetched.bytes.byteLength === 0) throw changed(fetched.address, "the exported file is empty");
	const { bytes, fileName, claimedMediaType, charset } = fetched;
	const name = titleOf(fileName, extension);
	return {
		kind: "bytes",
		content: { bytes, fileName, claimedMediaType, charset },
		known: {
			about: { siteName: "Google Drive", canonical: asked.about.origin + asked.about.pathname },
			...(type !== null && { type }),
			...(name !== null && { title: name }),
		},
	};
}

/** Without access one is redirected to the sign-in page and gets HTML. A file may be HTML itself, but then it has a name. */
function refusePage({ address, claimedMediaType, headers }: Fetched, type: DocumentType | null, { about }: Asked): void {
	if (/^accounts\./.test(address.host) || /\/(ServiceLogin|signin)/.test(address.pathname)) throw hidden(about, "one has to sign in to see it");
	const isFile = type === null && /attachment/i.test(headers.get("content-disposition") ?? "");
	if (claimedMediaType === "text/html" && !isFile) throw hidden(about, "a page came where the file was expected: it is not shared, or has no export");
}

/** The document's name, which is the file name of the export. */
function titleOf(fileName: string | null, extension: string | null): string | null {
	if (fileName === null || extension === null) return null;
	const suffix = `.${extension}`;
	const name = fileName.toLowerCase().endsWith(suffix) ? fileName.slice(0, -suffix.length) : fileName;
	return name.trim() === "" || name === "export" || name === extension ? null : name.trim();
}
