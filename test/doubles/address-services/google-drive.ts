/** Answers in the shape of the export links of Google Docs, Sheets and Slides, and of Drive's downloads. */

export const fileId = "1aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789";

export const officeTypes = {
	docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
} as const;

export function exported(bytes: Uint8Array<ArrayBuffer>, name: string, type: string): Response {
	const encoded = encodeURIComponent(name);
	return new Response(bytes, {
		headers: { "content-type": type, "content-disposition": `attachment; filename="${name.replace(/[^\x20-\x7e]/g, "_")}"; filename*=UTF-8''${encoded}` },
	});
}

/** What strangers get of a document that is not shared: the way to where people sign in. */
export function signIn(origin: string): Response {
	return new Response(null, { status: 302, headers: { location: `${origin}/ServiceLogin?service=wise&continue=x` } });
}

export const signInPage = "<html><head><title>Google Docs: Sign-in</title></head><body><form action='/signin/identifier'>Sign in</form></body></html>";
export const warningPage = "<html><head><title>Google Drive - Virus scan warning</title></head><body><form id='download-form'></form></body></html>";
