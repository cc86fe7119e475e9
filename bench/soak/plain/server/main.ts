/** A server of Bun that only parses a note and answers as much as a search does: what it holds is held by Bun. */

const answer = { results: Array.from({ length: 10 }, (_, i) => ({ id: `result-${i}`, text: "walnut ".repeat(40) })), total: 10 };

const server = Bun.serve({
	port: 0,
	hostname: "127.0.0.1",
	fetch: async (request) => {
		if (request.method === "GET") return Response.json({ queue: { waiting: 0, leased: 0 } });
		const note = (await request.json()) as { readonly content: string };
		return Response.json({ ...answer, total: note.content.length });
	},
});
// The words that a bench waits for.
console.log(`listens on http://127.0.0.1:${server.port}\nFind it: there is nothing`);
process.on("SIGTERM", () => process.exit(0));
