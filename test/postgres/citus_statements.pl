#!/usr/bin/perl
# citus_statements.pl - checks the statements of a server's log against citus_rules.txt:
#
#     citus_statements.pl RULES LOG STATEMENTS
#
# Writes each distinct statement to the file STATEMENTS, with literals replaced by '' and 0. Prints each statement that
# breaks a rule, and each example that its rule does not match.
use strict;
use warnings;

my ($rules_file, $log_file, $out_file) = @ARGV;
my $distributed = 'tabiya\.(?:games?|game_(?:played|totals|folding))\b';
my $reference = 'tabiya\.(?:shape|game_tracked)\b';
my %words = (D => $distributed, R => $reference, C => "(?:$distributed|$reference)", L => 'tabiya\.member\b');

my (@rules, @examples);
open(my $rules, '<', $rules_file) or die "$rules_file: $!";
while (my $line = <$rules>) {
    chomp $line;
    next if $line =~ /^(#|$)/;
    if ($line =~ /^! (.*)/) {
        push @examples, [$1, $rules[-1]];
        next;
    }
    my ($form, $unless, $what) = split / ; /, $line;
    $form =~ s/\b([DRCL])\b/$words{$1}/g;
    push @rules, {form => qr/$form/, unless => $unless eq '-' ? undef : qr/$unless/, what => $what};
}

sub breaks {
    my ($statement, $rule) = @_;
    return $statement =~ $rule->{form} && !($rule->{unless} && $statement =~ $rule->{unless});
}

# Continuation lines of a statement begin with a tab.
my (%statements, $text);
open(my $log, '<', $log_file) or die "$log_file: $!";
while (my $line = <$log>) {
    if ($line =~ /LOG:  (?:statement|execute [^:]*): (.*)/) {
        keep($text);
        $text = $1;
    } elsif (defined $text && $line =~ /^\t(.*)/) {
        $text .= " $1";
    } else {
        keep($text);
        $text = undef;
    }
}
keep($text);

sub keep {
    my ($statement) = @_;
    return if !defined $statement;
    $statement =~ s/\$(\w*)\$.*?\$\1\$/''/g;
    $statement =~ s/'(?:[^']|'')*'/''/g;
    $statement =~ s/\s+/ /g;
    $statement =~ s/(?<![\w\$])-?\d+\b/0/g;
    $statements{$statement} = 1;
}

open(my $out, '>', $out_file) or die "$out_file: $!";
for my $statement (sort keys %statements) {
    print $out "$statement\n";
    for my $rule (@rules) { print "$rule->{what}: $statement\n" if breaks($statement, $rule); }
}
for my $example (@examples) { print "the rule does not match its example: $example->[0]\n" if !breaks(@$example); }
