/** Reads public documents, sheets, slides and files of Google Drive by their export links, as Office files. */

import { type AddressReader, type AddressReading, type DocumentType, definePlugin, type Fetched } from "cairn-memory";
import { z } from "zod";
import { type ApiRequest, privateError, requireSuccess, sendRequest, unexpectedResponse } from "./ask.ts";
import { baseUrl, hostNames } from "./base-address.ts";

/** The URL from which a file is downloaded, and its type. */
interface Export {
	readonly url: string;
	/** Null if the type is detected from the file. */
	readonly type: DocumentType | null;
	/** The extension that the export adds to the name. */
	readonly extension: string | null;
}

const options = z.strictObject({
	docs: baseUrl("https://docs.google.com"),
	drive: baseUrl("https://drive.usercontent.google.com"),
	hosts: hostNames(["docs.google.com", "drive.google.com"]),
});
type Options = z.output<typeof options>;

export default definePlugin({
	name: "address-reader-google-drive",
	contract: 1,
	options,
	start(pluginOptions, host) {
		const reader: AddressReader = {
			name: "google-drive",
			recognizes: (address) => pluginOptions.hosts.includes(address.host) && exportFor(address, pluginOptions) !== null,
			read: async (address, step) => {
				const exportFile = exportFor(address, pluginOptions);
				return exportFile === null ? null : await readExport(exportFile, { host, step, url: address });
			},
		};
		return { addressReader: [reader] };
	},
});

/** Null for files published to the web (`/d/e/…/pub`), which are ordinary pages. */
function exportFor({ pathname, searchParams }: URL, { docs, drive }: Options): Export | null {
	// `/a/firm.example` and `/u/0` select an account, and are removed.
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

async function readExport({ url, type, extension }: Export, request: ApiRequest): Promise<AddressReading> {
	const fetched = await sendRequest(request, url, "*/*");
	if (fetched.status === 403) throw privateError(request.url, "its owner does not allow public downloads");
	if (fetched.status === 400) throw unexpectedResponse(fetched.address, "the export was refused; the file may be too large to be exported");
	requireSuccess(fetched, request);
	requireFile(fetched, type, request);
	if (fetched.bytes.byteLength === 0) throw unexpectedResponse(fetched.address, "the exported file is empty");
	const { bytes, fileName, claimedMediaType, charset } = fetched;
	const name = titleOf(fileName, extension);
	return {
		kind: "bytes",
		content: { bytes, fileName, claimedMediaType, charset },
		known: {
			about: { siteName: "Google Drive", canonical: request.url.origin + request.url.pathname },
			...(type !== null && { type }),
			...(name !== null && { title: name }),
		},
	};
}

/** Throws if the response is a page and not the file. Without access, Google redirects to the sign-in page. A file that is HTML itself is sent as an attachment. */
function requireFile({ address, claimedMediaType, headers }: Fetched, type: DocumentType | null, { url: about }: ApiRequest): void {
	if (/^accounts\./.test(address.host) || /\/(ServiceLogin|signin)/.test(address.pathname)) throw privateError(about, "you have to sign in to see it");
	const isFile = type === null && /attachment/i.test(headers.get("content-disposition") ?? "");
	if (claimedMediaType === "text/html" && !isFile)
		throw privateError(about, "a web page was returned in place of the file: it is not shared, or cannot be exported");
}

/** The document's name, which is the file name of the export. */
function titleOf(fileName: string | null, extension: string | null): string | null {
	if (fileName === null || extension === null) return null;
	const suffix = `.${extension}`;
	const name = fileName.toLowerCase().endsWith(suffix) ? fileName.slice(0, -suffix.length) : fileName;
	return name.trim() === "" || name === "export" || name === extension ? null : name.trim();
}
