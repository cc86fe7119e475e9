import { afterAll, afterEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder } from "cairn-memory";
import { embedTexts } from "../../../../core/runtime/embed-texts.ts";
import ollama from "../../../../plugins/embedders/ollama/index.ts";
import { createGuardedFetch } from "../../../../server/boot/network/guarded-fetch.ts";
import { embedderContract } from "../../../contract/embedder-contract.ts";
import { quietHost } from "../../../contract/quiet-host.ts";
import { start as startPlugin } from "../../../contract/start.ts";
import { startEmbeddingService } from "../../../doubles/embedding-service.ts";
import { createStep } from "../../../doubles/step.ts";

const service = startEmbeddingService(48);
const root = await mkdtemp(join(tmpdir(), "cairn-ollama-"));
afterAll(async () => {
	await service.stop();
	await rm(root, { recursive: true, force: true });
});
afterEach(() => {
	service.behave(() => null);
	service.forget();
});

const host = { ...quietHost(join(root, "host")), fetch: createGuardedFetch({ allow: [service.host], log: () => undefined }) };
async function begin(more: object = {}): Promise<Embedder> {
	const checked = await ollama().options["~standard"].validate({ model: "nomic", baseUrl: service.address, ...more });
	if (checked.issues !== undefined) throw new Error(JSON.stringify(checked.issues));
	const [embedder] = (await ollama().start(checked.value, host)).embedder ?? [];
	if (embedder === undefined) throw new Error("nothing is offered");
	return embedder;
}

for (const contractTest of embedderContract(() => begin())) test(contractTest.name, contractTest.check);

test("nothing is offered without a model", async () => {
	expect(await startPlugin(ollama())).toEqual({});
});

test("asks as Ollama wants, many texts at once", async () => {
	const embedder = await begin();
	await embedder.embed(["text"], "document", createStep());
	service.forget();
	expect(await embedTexts(["ferry", "basil"], embedder, "document", createStep())).toHaveLength(2);
	expect(service.asked).toHaveLength(1);
	expect(service.asked[0]).toMatchObject({ path: "/api/embed", model: "nomic", input: ["ferry", "basil"], body: { truncate: true } });
});

test("a model that is not there is the operator's matter; a vector of another length is refused by name", async () => {
	const embedder = await begin();
	await embedder.embed(["text"], "document", createStep());
	service.behave(() => Response.json({ embeddings: [[1, 2]] }));
	await expect(embedTexts(["ferry"], embedder, "document", createStep())).rejects.toMatchObject({ code: "EMBEDDING_MALFORMED" });
	service.behave(() => Response.json({ error: 'model "nomic" not found, try pulling it first' }, { status: 404 }));
	await expect(embedder.embed(["ferry"], "document", createStep())).rejects.toMatchObject({
		code: "EMBEDDER_UNAVAILABLE",
		retryAfterMs: 60_000,
		message: expect.stringContaining("try pulling it first"),
	});
});
