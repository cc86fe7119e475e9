/** An endpoint on this machine that keeps what is posted to it and answers as it is told. */

export interface Received {
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	readonly message: { readonly type: string; readonly timestamp: string; readonly data: Readonly<Record<string, unknown>> };
}

export interface WebhookReceiver {
	readonly url: string;
	/** Host and port, as `CAIRN_FETCH_ALLOW` wants it. */
	readonly host: string;
	readonly received: readonly Received[];
	/** Waits until so many have come. */
	readonly count: (least: number) => Promise<void>;
	readonly stop: () => Promise<void>;
}

const patienceMs = 120_000;

/** @param answer is asked with how many came before */
export function startReceiver(answer: (before: number) => Response | Promise<Response> = () => new Response(null, { status: 204 })): WebhookReceiver {
	const received: Received[] = [];
	const server = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		fetch: async (request) => {
			const body = await request.text();
			received.push({ headers: Object.fromEntries(request.headers), body, message: JSON.parse(body) as Received["message"] });
			return answer(received.length - 1);
		},
	});
	return {
		url: `http://127.0.0.1:${server.port}/hook`,
		host: `127.0.0.1:${server.port}`,
		received,
		count: async (least) => {
			for (const until = Date.now() + patienceMs; received.length < least; await Bun.sleep(5)) {
				if (Date.now() > until) throw new Error(`${received.length} of ${least} messages came`);
			}
		},
		stop: () => server.stop(true),
	};
}
