package fleet.testkit;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.Request;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Records requests and messages of a browser's pages, for failures of tests. For one thread. */
final class PageTrace {

  /** A page that does not answer is told as well. */
  private static final double TEXT_MILLIS = 10_000;

  private final String origin;
  private final BrowserContext context;
  private final List<String> messages = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private final Set<Request> pending = new LinkedHashSet<>();

  /** Listens to all pages of a browser. */
  PageTrace(BrowserContext context, String origin) {
    this.context = context;
    this.origin = origin;
    context.onConsoleMessage(this::note);
    context.onWebError(error -> complain("error: " + error.error()));
    context.onRequest(this::begin);
    context.onRequestFinished(pending::remove);
    context.onRequestFailed(request -> {
      pending.remove(request);
      messages.add("failed: " + request.url() + " " + request.failure());
    });
  }

  private void begin(Request request) {
    pending.add(request);
    if (!request.url().startsWith(origin)) {
      complain("asks elsewhere: " + request.url());
    }
  }

  private void note(ConsoleMessage message) {
    String text = message.type() + ": " + message.text() + " at " + message.location();
    if (message.type().equals("error") || message.type().equals("warning")) {
      complain(text);
    } else {
      messages.add(text);
    }
  }

  private void complain(String text) {
    messages.add(text);
    complaints.add(text);
  }

  /** Errors, breaches of the policy, and requests to other hosts. */
  List<String> complaints() {
    return List.copyOf(complaints);
  }

  /** All pages, and what they asked for. */
  String report() {
    List<String> lines = new ArrayList<>();
    for (Page page : context.pages()) {
      lines.add("page " + page.url() + " shows:");
      lines.add(text(page));
    }
    lines.add("said and failed, in order:");
    lines.addAll(messages);
    lines.add("requests without an answer, or whose answer has not ended:");
    pending.forEach(request -> lines.add(request.method() + " " + request.url()));
    return String.join("\n  ", lines);
  }

  private static String text(Page page) {
    try {
      return page.innerText("body", new Page.InnerTextOptions().setTimeout(TEXT_MILLIS))
          .replace("\n", "\n  ");
    } catch (PlaywrightException e) {
      return "(its text cannot be read: " + e.getMessage() + ")";
    }
  }
}
