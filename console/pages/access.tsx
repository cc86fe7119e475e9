/** Containers with what is in them, and keys: made, turned off and revoked. */

import { Keys } from "../access/keys.tsx";
import { useContainers } from "../api/use-containers.ts";
import { useConsole } from "../context.ts";
import { PageTitle } from "../frame.tsx";
import { Empty, WhenLoaded } from "../parts/messages.tsx";
import { counted, When } from "../parts/values.tsx";
import { to, withQuery } from "../route.ts";

export function AccessPage() {
	const { mayAdminister } = useConsole();
	const containers = useContainers();
	return (
		<>
			<PageTitle>Containers and keys</PageTitle>
			<section className="card" aria-labelledby="containers">
				<div className="card-title">
					<h2 id="containers">Containers</h2>
				</div>
				<WhenLoaded loaded={containers}>
					{({ tags, all }) =>
						tags.length === 0 ? (
							<Empty title="There are no containers yet." />
						) : (
							<ul className="rows">
								{tags.map((tag) => (
									<ContainerRow key={tag} tag={tag} container={all.find(({ containerTag }) => containerTag === tag)} />
								))}
							</ul>
						)
					}
				</WhenLoaded>
			</section>
			{mayAdminister ? (
				<Keys tags={containers.value?.tags ?? []} />
			) : (
				<p className="hint">Keys are made and revoked with an admin key. The one you signed in with is none.</p>
			)}
		</>
	);
}

type Listed = NonNullable<ReturnType<typeof useContainers>["value"]>["all"][number];

function ContainerRow({ tag, container }: { readonly tag: string; readonly container: Listed | undefined }) {
	return (
		<li className="row">
			<div className="row-main">
				<span className="row-title">{container?.name ?? tag}</span>
				<span className="hint">
					{container?.name !== undefined && container.name !== tag && `${tag} · `}
					{container?.lastActivityAt != null && (
						<>
							last used <When time={container.lastActivityAt} />
						</>
					)}
				</span>
			</div>
			<div className="row-side">
				<a href={withQuery(to("documents"), { container: tag })}>{container === undefined ? "Documents" : counted(container.documentCount, "document")}</a>
				<a href={withQuery(to("memories"), { container: tag })}>
					{container === undefined ? "Memories" : counted(container.memoryCount, "memory", "memories")}
				</a>
			</div>
		</li>
	);
}
