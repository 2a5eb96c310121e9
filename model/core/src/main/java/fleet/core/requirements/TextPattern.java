package fleet.core.requirements;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A text, a {@linkplain Glob glob}, or a regular expression between slashes, which needs to match
 * only a part. It is one of RE2: any pattern takes time in proportion to the text, since the leader
 * compares it with many. Its size is {@linkplain RegexLimits limited}. Immutable; two are equal
 * when they are written alike.
 */
public final class TextPattern {

  private final String text;
  private final Glob glob;
  private final @Nullable Pattern regex;
  private final @Nullable String fault;

  private TextPattern(String text, Glob glob, @Nullable Pattern regex, @Nullable String fault) {
    this.text = text;
    this.glob = glob;
    this.regex = regex;
    this.fault = fault;
  }

  /** Reads a pattern; one that is malformed matches nothing. */
  public static TextPattern of(String text) {
    Glob glob = new Glob(text);
    if (text.length() < 2 || !text.startsWith("/") || !text.endsWith("/")) {
      String fault = glob.isWellFormed() ? null : Glob.REMEDY;
      return new TextPattern(text, glob, null, fault);
    }
    String regex = text.substring(1, text.length() - 1);
    Optional<String> tooLarge = RegexLimits.fault(regex);
    if (tooLarge.isPresent()) {
      return malformed(text, tooLarge.get());
    }
    try {
      return new TextPattern(text, glob, Pattern.compile(regex), null);
    } catch (PatternSyntaxException e) {
      return malformed(text, e.getDescription());
    }
  }

  private static TextPattern malformed(String text, String fault) {
    return new TextPattern(text, new Glob("["), null, fault);
  }

  /** The fault of a malformed pattern, for people; empty if it is well-formed. */
  public Optional<String> fault() {
    return Optional.ofNullable(fault);
  }

  /** Whether this matches one text alone, the one that it is. */
  public boolean isLiteral() {
    return regex == null && fault == null && glob.isLiteral();
  }

  /** Whether this is a well-formed glob, and no regular expression. */
  boolean isGlob() {
    return regex == null && fault == null;
  }

  /** The beginning of every text that matches; may be empty. */
  public String prefix() {
    return regex == null ? glob.prefix() : "";
  }

  public boolean matches(String other) {
    return regex == null ? glob.matches(other) : regex.matcher(other).find();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TextPattern pattern && text.equals(pattern.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** As it is written. */
  @Override
  public String toString() {
    return text;
  }
}
