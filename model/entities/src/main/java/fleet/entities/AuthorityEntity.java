package fleet.entities;

import io.avaje.jsonb.Json;

/**
 * A certificate authority of the cluster.
 *
 * @param machines how many have a certificate by it, as far as they said so
 * @param sha256 of its certificate
 * @param standing {@code current}, {@code next} or {@code former}
 */
@Json
public record AuthorityEntity(
    int machines, String sha256, String since, String standing, String until) {}
