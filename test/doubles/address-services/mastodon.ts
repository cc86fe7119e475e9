/** Answers in the shape of `/api/v1/statuses/:id` and `/api/v1/statuses/:id/context`. */

export function account(username: string, more: object = {}) {
	return { id: "1", username, acct: username, display_name: username, locked: false, bot: false, url: `https://social.example/@${username}`, ...more };
}

export function status(id: string, content: string, more: object = {}) {
	return {
		...{
			id,
			created_at: "2024-05-01T10:00:00.000Z",
			in_reply_to_id: null,
			in_reply_to_account_id: null,
			sensitive: false,
			spoiler_text: "",
			visibility: "public",
		},
		...{ language: "en", uri: `https://social.example/users/ada/statuses/${id}`, url: `https://social.example/@ada/${id}`, replies_count: 0, reblogs_count: 1 },
		...{ favourites_count: 2, edited_at: null, content, reblog: null, application: null, account: account("ada", { display_name: "Ada Keeper :anchor:" }) },
		...{ media_attachments: [], mentions: [], tags: [], emojis: [], card: null, poll: null },
		...more,
	};
}

export const main = status("112233445566778899", "<p>Storm tonight &amp; tomorrow.</p><p>Stay in.</p>", {
	...{ in_reply_to_id: "112233445566000000", replies_count: 2, spoiler_text: "weather" },
	media_attachments: [{ id: "9", type: "image", url: "https://files.example/o.png", preview_url: "https://files.example/s.png", description: "A chart" }],
	card: { url: "https://harbour.example/tides", title: "Tides", description: "All of them", type: "link" },
	poll: {
		id: "3",
		expired: false,
		options: [
			{ title: "Go", votes_count: 1 },
			{ title: "Stay", votes_count: 9 },
		],
	},
});

export const context = {
	ancestors: [status("112233445566000000", "<p>Is it going to blow?</p>", { account: account("ben", { acct: "ben@other.example", display_name: "" }) })],
	descendants: [
		status("112233445566900000", "<p>Thanks!</p>", { in_reply_to_id: main.id, account: account("ben", { acct: "ben@other.example", display_name: "" }) }),
		status("112233445566900001", "<p>Any time.</p>", { in_reply_to_id: "112233445566900000" }),
	],
};

/** With status 404. */
export const unknownStatus = { error: "Record not found" };
/** With status 401, from servers that show nothing to strangers. */
export const strangersRefused = { error: "This method requires an authenticated user" };
