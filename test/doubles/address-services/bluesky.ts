/** Answers in the shape of `public.api.bsky.app/xrpc/…`. */

export const did = "did:plc:keeperkeeperkeeperkeeper";

export const resolved = { did };
export const unresolved = { error: "InvalidRequest", message: "Unable to resolve handle" };
export const unknownPost = { error: "NotFound", message: `Post not found: at://${did}/app.bsky.feed.post/3kabcdefghij2` };

export function author(more: object = {}) {
	return {
		did,
		handle: "keeper.example",
		displayName: "Ada Keeper",
		avatar: "https://cdn.bsky.example/a.jpg",
		labels: [],
		createdAt: "2023-04-01T00:00:00.000Z",
		...more,
	};
}

export function post(text: string, more: { readonly record?: object; readonly [name: string]: unknown } = {}) {
	const { record, ...rest } = more;
	return {
		...{ uri: `at://${did}/app.bsky.feed.post/3kabcdefghij2`, cid: "bafyrei", author: author(), replyCount: 0, repostCount: 0, likeCount: 3, quoteCount: 0 },
		record: { $type: "app.bsky.feed.post", text, createdAt: "2024-05-01T10:00:00.000Z", langs: ["en"], ...record },
		...{ indexedAt: "2024-05-01T10:00:01.000Z", labels: [] },
		...rest,
	};
}

export function threadView(of: object, around: { readonly parent?: object; readonly replies?: readonly object[] } = {}) {
	return { $type: "app.bsky.feed.defs#threadViewPost", post: of, replies: [], threadContext: {}, ...around };
}

/** A post that answers one and is answered twice, with a link, a picture and a quote. */
export const thread = {
	thread: threadView(
		post("Größer storm: see harbour.example/tid...\n\nStay in.", {
			replyCount: 2,
			record: {
				facets: [{ index: { byteStart: 20, byteEnd: 42 }, features: [{ $type: "app.bsky.richtext.facet#link", uri: "https://harbour.example/tides" }] }],
			},
			embed: {
				$type: "app.bsky.embed.recordWithMedia#view",
				media: {
					$type: "app.bsky.embed.images#view",
					images: [{ alt: "A chart of the tide", thumb: "https://cdn.bsky.example/t.jpg", fullsize: "https://cdn.bsky.example/f.jpg" }],
				},
				record: {
					record: {
						$type: "app.bsky.embed.record#viewRecord",
						uri: "at://x",
						cid: "b",
						author: author({ handle: "met.example", displayName: "Met" }),
						value: { text: "Gale warning." },
					},
				},
			},
		}),
		{
			parent: threadView(post("Is it going to blow?", { author: author({ handle: "ben.example", displayName: "" }) })),
			replies: [
				threadView(post("Thank you!", { author: author({ handle: "ben.example", displayName: "" }) }), { replies: [threadView(post("Any time."))] }),
				{ $type: "app.bsky.feed.defs#blockedPost", uri: "at://y", blocked: true, author: { did: "did:plc:x" } },
				threadView(post("Members only", { author: author({ handle: "shy.example", labels: [{ val: "!no-unauthenticated", src: did }] }) })),
			],
		},
	),
};

export const deleted = { thread: { $type: "app.bsky.feed.defs#notFoundPost", uri: `at://${did}/app.bsky.feed.post/3kabcdefghij2`, notFound: true } };
export const blocked = { thread: { $type: "app.bsky.feed.defs#blockedPost", uri: "at://x", blocked: true, author: { did } } };
export const forMembers = { thread: threadView(post("Hello", { author: author({ labels: [{ val: "!no-unauthenticated", src: did }] }) })) };
