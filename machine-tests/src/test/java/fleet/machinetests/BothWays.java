package fleet.machinetests;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Behaviour that does not depend on the way in which machines and the leader speak to each other:
 * these tests run a second time, with {@code enable_grpc=false}, and are reported with the suffix
 * {@code over-the-store}.
 */
@Tag("both-ways")
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@interface BothWays {}
