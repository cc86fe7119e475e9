/** Containers with what is in them, and keys: made, turned off and revoked. */

import { Clients } from "../access/clients.tsx";
import { ContainerList } from "../access/containers.tsx";
import { Keys } from "../access/keys.tsx";
import { useContainers } from "../api/use-containers.ts";
import { useConsole } from "../context.ts";
import { PageTitle } from "../frame.tsx";

export function AccessPage() {
	const { mayAdminister } = useConsole();
	const containers = useContainers();
	return (
		<>
			<PageTitle>Containers and keys</PageTitle>
			<ContainerList containers={containers} />
			<Clients />
			{mayAdminister ? (
				<Keys tags={containers.value?.tags ?? []} />
			) : (
				<p className="hint">Keys are made and revoked with an admin key. The one you signed in with is none.</p>
			)}
		</>
	);
}
