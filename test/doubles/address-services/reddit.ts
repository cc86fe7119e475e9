/** Answers in the shape of a Reddit page's `.json`: the post, then its comments. */

export function listing(...children: readonly object[]) {
	return { kind: "Listing", data: { after: null, dist: children.length, modhash: "", before: null, children } };
}

export function submission(more: object = {}) {
	return {
		kind: "t3",
		data: {
			...{ id: "abc123", name: "t3_abc123", title: "What lamp &amp; oil do you use?", author: "keeper", created_utc: 1_714_557_600, subreddit: "lighthouses" },
			...{ subreddit_name_prefixed: "r/lighthouses", selftext: "Mine is **old**.\n\nSee [the list](https://harbour.example/lamps).", is_self: true },
			...{ permalink: "/r/lighthouses/comments/abc123/what_lamp/", url: "https://www.reddit.com/r/lighthouses/comments/abc123/what_lamp/", num_comments: 3 },
			...{ thumbnail: "self", over_18: false, removed_by_category: null },
			...more,
		},
	};
}

export function comment(body: string, replies: object | "" = "", more: object = {}) {
	return { kind: "t1", data: { id: "k1", author: "ben", body, created_utc: 1_714_561_200, parent_id: "t3_abc123", depth: 0, score: 4, replies, ...more } };
}

export const more = (count: number) => ({ kind: "more", data: { count, name: "t1_x", id: "x", parent_id: "t3_abc123", depth: 0, children: ["x"] } });

export const thread = [
	listing(submission()),
	listing(
		comment("An *electric* one.", listing(comment("Since when?", "", { author: "keeper" }))),
		comment("[deleted]", listing(comment("Agreed.")), { author: "[deleted]" }),
		more(12),
	),
];

/** With status 403. */
export const closed = { reason: "private", message: "Forbidden", error: 403 };
/** With status 404. */
export const unknownPost = { message: "Not Found", error: 404 };
/** With status 403, to networks it does not like. */
export const blockedPage = "<html><body>You've been blocked by network security.</body></html>";
