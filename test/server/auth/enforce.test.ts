/** What enforcement does with a route that fails: of one that handles secrets, the log hears where and not what. */

import { expect, test } from "bun:test";
import { ServiceError } from "cairn-memory";
import { createEnforcement } from "../../../server/auth/enforce.ts";
import { createSignedLinks } from "../../../server/auth/signed-links.ts";
import { publicAccess } from "../../../server/routes/access.ts";
import { undocumentedOperation } from "../../../server/routes/operation.ts";

const enforce = createEnforcement({
	accounts: { organisationAccounts: () => Promise.reject(new Error("no route is the operator's")) },
	guard: { admit: () => Promise.reject(new Error("no key is asked for")), revalidate: () => Promise.reject(new Error("no stream is open")) },
	once: { keyOf: () => null, respond: () => Promise.reject(new Error("nothing is repeated")) },
	links: createSignedLinks(new Uint8Array(32)),
	world: { now: () => new Date(0) },
	answerError: () => new Response(null, { status: 500 }),
});
const routed = { request: new Request("http://localhost/x"), params: {}, set: { headers: {} } };

function leak(): never {
	throw new TypeError("the key hunter2 has a bad sign");
}

async function thrownBy(secret: "none" | "body" | "answer", answer: () => never): Promise<unknown> {
	try {
		await enforce(undocumentedOperation("GET /x", { ...publicAccess, secret }, answer))(routed);
	} catch (thrown) {
		return thrown;
	}
	return null;
}

test("the cause of a failure says where, without its words, when the route handles secrets", async () => {
	for (const secret of ["body", "answer"] as const) {
		const thrown = await thrownBy(secret, leak);
		expect(thrown).toBeInstanceOf(ServiceError);
		const { cause } = thrown as { readonly cause: Error };
		expect([cause.stack?.includes("hunter2"), cause.message.includes("hunter2"), cause.stack?.includes("leak")]).toEqual([false, false, true]);
	}
	expect(await thrownBy("none", leak)).toBeInstanceOf(TypeError);
});

test("what a client is told stays as it was", async () => {
	const expected = new ServiceError("KEY_MISSING", []);
	const fails = () => {
		throw expected;
	};
	expect(await thrownBy("answer", fails)).toBe(expected);
});

test("an answer that shows a secret is stored nowhere, whatever the route says", async () => {
	const cached = () => new Response("x", { headers: { "cache-control": "public" } });
	const told = async (secret: "none" | "answer") =>
		((await enforce(undocumentedOperation("GET /x", { ...publicAccess, secret }, cached))(routed)) as Response).headers.get("cache-control");
	expect([await told("answer"), await told("none")]).toEqual(["no-store", "public"]);
});
