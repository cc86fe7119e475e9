/** Answers in the shape of `hn.algolia.com/api/v1/items/:id`. */

export function story(more: object = {}) {
	return {
		...{
			id: 8863,
			created_at: "2007-04-04T19:16:40.000Z",
			created_at_i: 1_175_714_200,
			type: "story",
			author: "keeper",
			title: "Show HN: A notebook for storms &amp; tides",
		},
		...{ url: "https://harbour.example/notebook", text: null, points: 111, parent_id: null, story_id: 8863, options: [] },
		children: [
			comment({
				id: 9224,
				author: "ben",
				text: "Does it keep the <i>wind</i> too?<p>I sail out of Kiel.",
				children: [comment({ id: 9225, author: "keeper", text: "It does &#x2F; since May." })],
			}),
			comment({ id: 9226, author: null, text: null, children: [] }),
		],
		...more,
	};
}

export function comment(more: object = {}) {
	return {
		...{ id: 9224, created_at: "2007-04-04T20:01:00.000Z", created_at_i: 1_175_716_860, type: "comment", author: "ben", title: null, url: null },
		...{ text: "A comment.", points: null, parent_id: 8863, story_id: 8863, options: [], children: [] },
		...more,
	};
}

/** With status 404. */
export const unknownItem = { status: 404, error: "Not Found" };
