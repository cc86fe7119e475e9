/** Answers in the shape of `cdn.syndication.twimg.com/tweet-result` and `publish.twitter.com/oembed`. */

export function tweet(more: object = {}) {
	return {
		...{ __typename: "Tweet", lang: "en", favorite_count: 7, possibly_sensitive: false, created_at: "2024-05-01T10:00:00.000Z", display_text_range: [0, 60] },
		entities: {
			...{ hashtags: [], user_mentions: [], symbols: [] },
			urls: [{ display_url: "harbour.example/tides", expanded_url: "https://harbour.example/tides", indices: [20, 43], url: "https://t.co/AAAAAAAAAA" }],
			media: [
				{
					display_url: "pic.x.com/P",
					expanded_url: "https://x.com/keeper/status/1785600000000000001/photo/1",
					indices: [44, 67],
					url: "https://t.co/BBBBBBBBBB",
				},
			],
		},
		...{ id_str: "1785600000000000001", text: "Wind &amp; rain 🌊 see https://t.co/AAAAAAAAAA\n\nStay in. https://t.co/BBBBBBBBBB" },
		user: { id_str: "1", name: "Ada Keeper", screen_name: "keeper", is_blue_verified: false, profile_image_url_https: "https://pbs.example/a.jpg" },
		edit_control: { edit_tweet_ids: ["1785600000000000001"], edits_remaining: "5", is_edit_eligible: true },
		mediaDetails: [{ type: "photo", media_url_https: "https://pbs.example/p.jpg", ext_alt_text: "A chart of the tide", url: "https://t.co/BBBBBBBBBB" }],
		...{ conversation_count: 2, news_action_type: "conversation", isEdited: false, isStaleEdit: false },
		...more,
	};
}

export const plain = { entities: { hashtags: [], user_mentions: [], symbols: [], urls: [] }, mediaDetails: undefined };
export const quoted = tweet({ ...plain, text: "Gale warning.", user: { id_str: "2", name: "Met", screen_name: "met" } });
export const parent = tweet({ ...plain, text: "Is it going to blow?", user: { id_str: "3", name: "Ben", screen_name: "ben" } });

export const tombstone = (text: string) => ({ __typename: "TweetTombstone", tombstone: { text: { text, entities: [], rtl: false } } });
export const deletedText = "This Post was deleted by the Post author. Learn more";
export const protectedText = "You’re unable to view this Post because this account owner limits who can view their Posts. Learn more";

export const oembed = {
	...{ url: "https://twitter.com/keeper/status/1785600000000000001", author_name: "Ada Keeper", author_url: "https://twitter.com/keeper" },
	html: '<blockquote class="twitter-tweet" data-dnt="true"><p lang="en" dir="ltr">Wind &amp; rain <a href="https://t.co/AAAAAAAAAA">https://t.co/AAAAAAAAAA</a><br><br>Stay in.</p>&mdash; Ada Keeper (@keeper) <a href="https://twitter.com/keeper/status/1785600000000000001?ref_src=twsrc%5Etfw">May 1, 2024</a></blockquote>\n',
	...{ width: 550, height: null, type: "rich", cache_age: "3153600000", provider_name: "Twitter", provider_url: "https://twitter.com", version: "1.0" },
};
