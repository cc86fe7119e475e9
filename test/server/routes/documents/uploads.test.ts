/** The bytes of an upload: they go with a document that was refused, and stay with one of which nobody knows whether it was stored. */

import { expect, test } from "bun:test";
import { asId, fail, type OrganisationId, type ServiceError } from "cairn-memory";
import type { KeyId } from "cairn-memory/stores";
import type { ApiKey } from "../../../../core/ports/account-store.ts";
import { createNotifier } from "../../../../core/runtime/notifier.ts";
import { createService, type Service } from "../../../../core/service.ts";
import { uploadRoutes } from "../../../../server/routes/documents/uploads.ts";
import { createTestParts } from "../../../doubles/parts.ts";
import { createTestWorld } from "../../../doubles/world.ts";

const caller: ApiKey = {
	id: asId<KeyId>("3333333333333333333333"),
	organisation: asId<OrganisationId>("1111111111111111111111"),
	name: "test",
	role: "admin",
	grants: null,
	hash: "",
	endpoints: null,
	rateLimit: null,
	isEnabled: true,
	expiresAt: null,
	createdAt: new Date(0),
};
const service = createService(createTestParts(createTestWorld()), createNotifier());

/** Uploads a file, and hands on what `add` does with it. @returns the text that is kept; null if none is */
async function keptAfter(thrown: ServiceError, add: Service["add"]): Promise<string | null> {
	let blob = "";
	const failing: Service["add"] = async (by, request) => {
		if (request.content.kind === "file") blob = request.content.blob;
		await add(by, request);
		throw thrown;
	};
	const [upload] = uploadRoutes({ ...service, add: failing }, 1_000);
	const body = new FormData();
	body.append("file", new File(["The ferry leaves at six."], "ferry.txt"));
	const request = new Request("http://localhost/v3/documents/file", { method: "POST", body });
	await expect(Promise.resolve(upload?.handle({ request, params: {}, caller }))).rejects.toBe(thrown);
	const bytes = await service.bytes(caller, blob);
	return bytes === null ? null : new TextDecoder().decode(bytes);
}

test("bytes of a document whose commit had no answer stay, and those of a refused one go", async () => {
	const refused: Service["add"] = async () => ({}) as never;
	expect(await keptAfter(fail("QUOTA_DOCUMENTS", 1, 1), refused)).toBeNull();
	expect(await keptAfter(fail("STORAGE_FULL"), refused)).toBeNull();
	expect(await keptAfter(fail("STORAGE_UNREACHABLE", "the connection ended"), service.add)).toBe("The ferry leaves at six.");
});
