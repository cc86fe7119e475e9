/** Original files: a route that returns a signed link, and the route of that link, which needs no key. */

import { fail } from "../../../core/errors/fail.ts";
import type { Caller } from "../../../core/model/caller.ts";
import type { FileContent } from "../../../core/model/content.ts";
import type { Document } from "../../../core/model/document.ts";
import { asId, isId, type OrganisationId } from "../../../core/model/id.ts";
import type { World } from "../../../core/ports/world.ts";
import type { Service } from "../../../core/service.ts";
import type { SignedLinks } from "../../auth/signed-links.ts";
import { publicAccess, readAccess } from "../access.ts";
import { type Operation, operationsOf, undocumentedOperation } from "../operation.ts";

/** The 24 hours that the API contract prescribes. */
const linkLifetimeMs = 24 * 60 * 60 * 1_000;

const operation = operationsOf("Documents");

export function fileRoutes(service: Service, links: SignedLinks, world: World): readonly Operation[] {
	return [
		operation(
			"GET /v3/documents/:id/file-url",
			{
				access: { ...readAccess, secret: "answer" },
				summary: "Get a link to the original file",
				description: "The link is valid for 24 hours and needs no key.",
				operationId: "getFileUrl",
				responses: { 200: "FileUrl" },
				errors: ["DOCUMENT_MISSING", "CUSTOM_ID_AMBIGUOUS", "FILE_NONE"],
			},
			async ({ request, params, caller }) => {
				const { id } = fileOf(await service.get(caller, params.id));
				const key = `${caller.organisation}.${id}`;
				const expires = new Date(world.now().getTime() + linkLifetimeMs);
				return { url: `${new URL(request.url).origin}/files/${key}?${links.sign(key, expires)}` };
			},
		),
		undocumentedOperation("GET /files/:key", { ...publicAccess, auth: "link", secret: "answer" }, ({ request, params }) =>
			openFile(params.key, request, service),
		),
	];
}

async function openFile(key: string, request: Request, service: Service): Promise<Response> {
	const [organisation = "", id = ""] = key.split(".");
	if (!isId(organisation)) throw fail("LINK_INVALID");
	const owner: Caller = { organisation: asId<OrganisationId>(organisation), role: "read", grants: null };
	const { content } = fileOf(await service.get(owner, id));
	const bytes = await service.bytes(owner, content.blob);
	if (bytes === null) throw fail("DOCUMENT_MISSING");
	return fileResponse(bytes, content, request.headers.get("range"));
}

function fileOf(document: Document): { readonly id: string; readonly content: FileContent } {
	const { id, content } = document;
	if (content.kind !== "file") throw fail("FILE_NONE");
	return { id, content };
}

/** Always as an attachment: an uploaded file must never run as a page of this server. */
function fileResponse(bytes: Uint8Array, { claimedMediaType, fileName }: FileContent, range: string | null): Response {
	const headers = new Headers({
		"content-type": claimedMediaType ?? "application/octet-stream",
		"content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(fileName ?? "file")}`,
		"content-security-policy": "sandbox; default-src 'none'",
		"accept-ranges": "bytes",
	});
	const byteRange = range === null ? null : parseRange(range, bytes.byteLength);
	if (byteRange === null) return new Response(new Uint8Array(bytes), { headers });
	if (byteRange === "outside") {
		headers.set("content-range", `bytes */${bytes.byteLength}`);
		return new Response(null, { status: 416, headers });
	}
	headers.set("content-range", `bytes ${byteRange.begin}-${byteRange.end}/${bytes.byteLength}`);
	return new Response(new Uint8Array(bytes.subarray(byteRange.begin, byteRange.end + 1)), { status: 206, headers });
}

/** Parses a single byte range (RFC 9110, 14.1.2). Null for anything else; then the whole file is sent. */
function parseRange(range: string, length: number): { readonly begin: number; readonly end: number } | "outside" | null {
	const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
	if (first === "" && last === "") return null;
	const begin = first === "" ? Math.max(0, length - Number(last)) : Number(first);
	const end = first === "" || last === "" ? length - 1 : Math.min(Number(last), length - 1);
	return begin > end || begin >= length ? "outside" : { begin, end };
}
